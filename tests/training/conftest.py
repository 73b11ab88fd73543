"""Very small networks: threads of torch's own would only wait for each other."""

import torch

torch.set_num_threads(1)
