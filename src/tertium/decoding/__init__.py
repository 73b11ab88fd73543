"""From a model to translations: every search is written once, against `NextToken`.

search.py       the loop: feed, choose, pick, until every sentence is done
frontier.py     what a search knows of its prefixes, and the hypotheses that are finished
greedy.py beam.py sampling.py    how the next tokens are chosen
constraints.py  what may not be chosen: prefixes, answers, banned phrases, repetitions
required.py     what must be in a translation, and room in the beam for it
length.py       how log probabilities of different lengths are compared: the objective
exact.py        the best sequence there is, proven
forced.py       the score of a given translation
translate.py    texts in, texts out
mbr.py rerank.py    choosing among translations by a metric, or by several scores
audit.py        is the search or the model at fault?
sweep.py        the same test set at several beam widths
audit_shares.py advice.py findings.py    what an audit adds up to, and what to do next
"""
