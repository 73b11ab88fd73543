"""tercom: the tokenization of TER, as sacreBLEU ports it. Its words are lower-cased and split at white space.

The argument turns on more, by any of these words joined with `+`, as in `tercom:normalized+asian_support`:

    normalized      entities are decoded; symbols, the possessive 's, and periods, commas and hyphens (but for those
                    inside numbers) are set apart
    no_punct        . , ? : ; ! " ( ) are removed
    asian_support   with normalized: ideographs and some more of the scripts of East Asia are cut character by
                    character; with no_punct: their punctuation is removed too
    case_sensitive  no lower-casing
"""

from tertium import native
from tertium.errors import UnknownName
from tertium.text import Tokenizer

OPTIONS = ("normalized", "no_punct", "asian_support", "case_sensitive")


def tokenizer(argument: str = "") -> Tokenizer:
    """The scheme tercom, with the options that the argument names.

    >>> tokenizer("normalized")("Tom&apos;s cats don't cost 3.50-ish, It's free.")
    ['tom', '&', 'apos', ';', 's', 'cats', "don't", 'cost', '3.50', '-', 'ish', ',', 'it', "'s", 'free', '.']
    """
    chosen = set(filter(None, argument.split("+")))
    for option in chosen:
        if option not in OPTIONS:
            raise UnknownName("option of tercom", option, OPTIONS)
    flags = {option: option in chosen for option in OPTIONS}

    def split(text: str) -> list[str]:
        return native.tokenize_tercom([text], **flags)[0]

    return Tokenizer(f"tercom:{argument}" if argument else "tercom", split, signature="tercom")
