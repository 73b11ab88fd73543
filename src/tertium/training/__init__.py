"""Training translation models: one loop, on Lightning.

    config.py         what a training is: a TOML file, checked field by field; presets/ has ready ones
    parallel.py       parallel texts, from files
    trainee.py huggingface.py    what is trained: a new model, one of ours, a folder of Hugging Face
    batches.py        batches of about as many tokens each, in an order that follows from seed and epoch
    feeding.py        what the decoder is fed: the reference (teacher), its own output, or a mixture
    cross_entropy.py  the loss: label-smoothed cross entropy, fused with the output layer
    schedule.py       learning rates
    module.py         a training step, as Lightning calls it
    validation.py     loss and translation quality on held-out text; early stopping; the best model
    loop.py           all of it together, resumable
    snapshots.py      the best weights, and the mean of several
    watch.py          what happens between the steps
    picture.py        loss against steps

All of it needs the extra `train`.
"""

from tertium.errors import MissingExtra

try:
    import lightning as lightning
except ImportError:
    raise MissingExtra("training", "lightning", "train") from None
