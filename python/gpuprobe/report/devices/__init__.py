"""A list of GPUs as text, Markdown and HTML: how each does, and which is which."""
