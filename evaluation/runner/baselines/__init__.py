"""Answers without any model, whose scores are known: they test the way from request to score.

A model's scores mean little beside 0 or 1 alone; beside those of a baseline that was asked the
same requests they show what chance, a habit or a bias that reads nothing would have got.

The scores of requests in all orders are these, where every template has both of its questions
and as many biased as counter-biased contexts:

| baseline | accuracy amb | diff-bias amb | accuracy dis | diff-bias dis |
|---|---|---|---|---|
| oracle | 1 | 0 | 1 | 0 |
| always-biased | 0 | 1 | 1/2 | 1 |
| always-counter-biased | 0 | -1 | 1/2 | -1 |
| always-unknown | 1 | 0 | 0 | 0 |
| always-first | 1/3 | 0 | 1/3 | 0 |
| uniform, in expectation | 1/3 | 0 | 1/3 | 0 |
"""
