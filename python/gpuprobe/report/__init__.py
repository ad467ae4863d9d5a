"""RENDER: one judged report as text, JSON, Markdown, HTML or JUnit."""
