"""Tercom's tokenization in plain Python: the twin of cpp/tercom.hpp, one rule after the other over the whole text."""

import re

SYMBOL = re.compile(r"""([{|}~\[\\\]^_`!"#$%&()*+:;<=>?@/])""")
POSSESSIVE = re.compile(r"'s ")
MARK_AFTER_OTHER = re.compile(r"([^0-9])([.,])")
MARK_BEFORE_OTHER = re.compile(r"([.,])([^0-9])")
HYPHEN_AFTER_DIGIT = re.compile(r"([0-9])-")
PUNCTUATION = re.compile(r'[.,?:;!"()]')
ASIAN_PUNCTUATION = re.compile(
    "[\u3001\u3002\u3008-\u3011\u3014-\u301f\u30fb\uff61-\uff65\uff01\uff02\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]"
)
ASIAN = re.compile("([\u2e80-\u2eff\u31c0-\u31ef\u3200-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f])")


def normalize(text: str, asian_support: bool = False) -> str:
    """The text with white space around what is a token of its own.

    >>> normalize("It's 3.5, no?").split()
    ['It', "'s", '3.5', ',', 'no', '?']
    """
    text = text.replace("\n-", "").replace("\n", " ")
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, character)
    text = SYMBOL.sub(r" \1 ", f" {text} ")
    text = POSSESSIVE.sub(" 's ", text)
    text = MARK_AFTER_OTHER.sub(r"\1 \2 ", text)
    text = MARK_BEFORE_OTHER.sub(r" \1 \2", text)
    text = HYPHEN_AFTER_DIGIT.sub(r"\1 - ", text)
    if asian_support:
        text = ASIAN.sub(r" \1 ", text)
        text = ASIAN_PUNCTUATION.sub(r" \g<0> ", text)
    return text


def tokens(
    text: str,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
) -> list[str]:
    """The tokens of a text.

    >>> tokens("The end.", no_punct=True)
    ['the', 'end']
    """
    if not case_sensitive:
        text = text.lower()
    if normalized:
        text = normalize(text, asian_support)
    if no_punct:
        text = PUNCTUATION.sub("", text)
        if asian_support:
            text = ASIAN_PUNCTUATION.sub("", text)
    return text.split()


def reference_tokens(text: str, **options: bool) -> list[str]:
    """The tokens of a reference as TER takes them: those of its tokens, for sacreBLEU tokenizes references twice.

    >>> tokens("it's.", normalized=True), reference_tokens("it's.", normalized=True)
    (["it's", '.'], ['it', "'s", '.'])
    """
    return tokens(" ".join(tokens(text.rstrip(), **options)), **options)
