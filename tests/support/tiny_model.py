"""A model of a few thousand weights in a folder, as `transformers` saves one. Needs the extra."""

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertLMHeadModel,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    RwkvConfig,
    RwkvForCausalLM,
)

CORPUS = [
    "Passage: two people sat in the hall. Question: who sang? A: Ann B: Bob C: Unknown Answer: A",
    "(A) the potter (B) the baker (C) cannot be known. a b c 1: 2: 3:",
    "글: 두 사람이 왔다. 물음: 누가 노래했나? 답: 알 수 없음",
]
TEMPLATE = (
    "{% for m in messages %}{% if m['role'] == 'tool' %}{{ raise_exception('no tools') }}"
    "{% endif %}<{{ m['role'] }}>{{ m['content'] }}{{ eos_token }}{% endfor %}"
    "{% if add_generation_prompt %}<{{ who or 'assistant' }}>{% endif %}"
)


def save_tokenizer(folder, template=None):
    """Train a byte-level tokenizer on a few lines and save it; texts begin with `<end>`."""
    plain = Tokenizer(models.BPE())
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    plain.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<end>", "<pad>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    plain.train_from_iterator(CORPUS, trainer)
    plain.post_processor = processors.TemplateProcessing(
        single="<end> $A", special_tokens=[("<end>", 0)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain,
        eos_token="<end>",  # noqa: S106  # no secret
        pad_token="<pad>",  # noqa: S106  # no secret
    )
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    return tokenizer


def save_model(folder, kind="llama", template=None, places=192):
    """Save a random model with two layers.

    `llama` turns by place, `gpt2` learns its places, `rwkv` takes no mask, `bert` fills gaps.
    """
    tokenizer = save_tokenizer(folder, template)
    torch.manual_seed(1)
    size = len(tokenizer)
    ids = {"bos_token_id": None, "eos_token_id": tokenizer.eos_token_id}
    if kind == "gpt2":
        config = GPT2Config(
            vocab_size=size,
            n_positions=places,
            n_embd=32,
            n_layer=2,
            n_head=2,
            initializer_range=0.4,
            **ids,
        )
        model = GPT2LMHeadModel(config)
    elif kind == "rwkv":
        config = RwkvConfig(
            vocab_size=size, context_length=places, hidden_size=32, num_hidden_layers=2, **ids
        )
        model = RwkvForCausalLM(config)
    elif kind == "bert":
        config = BertConfig(
            vocab_size=size,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            initializer_range=0.4,
        )
        model = BertLMHeadModel(config)
    else:
        config = LlamaConfig(
            vocab_size=size,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=places,
            initializer_range=0.4,
            pad_token_id=tokenizer.pad_token_id,
            **ids,
        )
        model = LlamaForCausalLM(config)
    model.save_pretrained(folder)
    return folder
