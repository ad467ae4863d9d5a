"""What several test files need. A test file imports it as `from support.… import …`."""
