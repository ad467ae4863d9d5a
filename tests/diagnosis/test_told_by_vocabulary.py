"""A tokenizer with more tokens than the model's embedding has rows, and what only looks so."""

from __future__ import annotations

import pytest

from support.cases import ruled

CUBLAS = "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(h)`\n"
ADD = 'tokenizer.add_special_tokens({"additional_special_tokens": ["<sep>", "<ans>"]})\n'
LOAD = 'model = GPT2LMHeadModel.from_pretrained("gpt2").cuda()\n'


@pytest.mark.parametrize(
    "text",
    [
        ">>> len(tokenizer)\n50259\n>>> model.transformer.wte\nEmbedding(50257, 768)\n",
        "print(len(tok), model.embed_tokens)\nout = model(ids)\n\n32003 Embedding(32000, 4096)\n",
        '>>> batch["input_ids"].max()\ntensor(50257)\n>>> model.wte\nEmbedding(50257, 768)\n',
        '  "vocab_size": 30522\n}\n>>> input_ids.max().item()\n30530\n',
        ADD + LOAD,
    ],
)
def test_tokens_that_have_no_row(text: str):
    assert ruled(text + CUBLAS) == "user-code"


@pytest.mark.parametrize(
    "text",
    [
        ">>> len(tokenizer)\n50257\n>>> model.transformer.wte\nEmbedding(50257, 768)\n",
        '>>> batch["input_ids"].max()\ntensor(50256)\n>>> model.wte\nEmbedding(50257, 768)\n',
        ">>> len(tokenizer)\n32000\n>>> model.lm.embed_tokens\nEmbedding(32064, 4096)\n",
        ADD + LOAD + "model.resize_token_embeddings(len(tokenizer))\n",
        ADD + 'config = AutoConfig.from_pretrained("gpt2")\n',
        ADD + 'tokenizer = GPT2Tokenizer.from_pretrained("gpt2")\n',
    ],
)
def test_tokens_that_have_theirs(text: str):
    assert ruled(text + CUBLAS) == "oom-workload"


def test_without_an_error_nothing_is_said():
    smi = "| NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2 |\n"
    assert ruled(ADD + LOAD + smi) in ("unknown", "healthy")
