"""Whose display device it is, by the number of its maker on the PCI bus."""

#: PCI vendor ids of those who make display devices, real or virtual.
VENDORS = {
    "1002": "amd",
    "102b": "matrox",
    "106b": "apple",
    "10de": "nvidia",
    "1234": "qemu",
    "1414": "microsoft",
    "15ad": "vmware",
    "1a03": "aspeed",
    "1af4": "virtio",
    "1b36": "redhat",
    "1d17": "zhaoxin",
    "1ed5": "moorethreads",
    "80ee": "virtualbox",
    "8086": "intel",
}
