"""JUDGE: from facts to findings, and from findings to one verdict."""
