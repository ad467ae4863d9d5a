"""What is asked of a framework's build: is it one for CPUs, has it code for a GPU?"""
