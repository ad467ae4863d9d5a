"""The name of a system as a form tells it."""

from __future__ import annotations

from support.pasted import told


def test_the_name_of_a_system_ends_where_a_sentence_begins():
    name = told("OS: Windows 7 ultimate, Python 3.5.4. TensorFlow came by pip.")["os.name"]
    assert name == "Windows 7 ultimate"
    assert told("OS: Ubuntu 20.04.6 LTS")["os.name"] == "Ubuntu 20.04.6 LTS"
