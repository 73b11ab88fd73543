"""Models that translate, each behind one of two protocols.

    NextToken   prefixes -> log probabilities of the next token, with a state whose rows can be picked: what every
                search, forced scoring and the audit are written against (`next_token.py`)
    Engine      texts -> texts: a program that decodes by itself (`engine.py`)

    vocabulary.py               subwords: text <-> token ids
    attention.py                multi-head attention, and the slots that keep what was generated
    transformer.py lstm.py      networks; `network.py` says what a network must have
    precision.py                float32, bfloat16 and int8 linear layers for translating
    trained.py                  a network with its vocabularies: text in, log probabilities out; saved in a folder
    huggingface/ ensemble.py    other people's models; several models as one
    command.py ctranslate2.py   engines; `ctranslate2_conversion.py` makes such a folder, `pieces.py` cuts its texts
    opening.py                  from what a user writes (`runs/multi30k`, `command:apertium eng-spa`) to a model

All of it needs the extra `train`.
"""

from tertium.errors import MissingExtra

try:
    import torch as torch
except ImportError:
    raise MissingExtra("a translation model", "torch", "train") from None
