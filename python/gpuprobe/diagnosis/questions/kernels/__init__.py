"""What is asked of a build and a GPU for which it has no code: which is too old for the other?

By the codes and words that say so (`no_code`), by the build that can be named (`builds`), or by
what is known of a program (`floors`, `made_for`, `generations`); `faults` is the answer of all.
"""
