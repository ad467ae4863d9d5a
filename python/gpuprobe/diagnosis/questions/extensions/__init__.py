"""What is asked of compiled extensions: which does not fit what it was imported with?"""
