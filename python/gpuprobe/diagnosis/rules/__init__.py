"""The rules, one file a family; `catalogue.py` imports them all."""
