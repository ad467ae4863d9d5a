"""What is asked where something is compiled: does the toolkit fit framework, compiler, and GPU?"""
