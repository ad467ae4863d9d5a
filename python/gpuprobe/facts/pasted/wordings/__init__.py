"""The tables of recognised statements, one module a subject; `Sign` explains a row."""
