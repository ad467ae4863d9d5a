"""KNOWLEDGE: tables with the source of every row, and look-ups in them; read at the first use."""
