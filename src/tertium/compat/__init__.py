"""Drop-in faces for the libraries people use already: change the import, keep the numbers.

Nothing here counts anything: every module translates another library's arguments into a Tertium metric and its rows
back into that library's results.
"""
