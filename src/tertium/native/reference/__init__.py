"""The slow, readable twins of the native kernels: what each kernel computes, in plain Python.

They take token lists, one segment at a time, and exist to be read and to be compared with; nothing in the package calls
them to compute a score.
"""
