"""Which choices a model's reply names: its verdict decides, and what explains it never does.

Thoughts and markup are taken off (`thoughts`, `words`). Each label or text of a choice becomes one
character (`verdicts`), so that no rule can know which choice it is. A verdict is a line or clause
that is wholly a choice (`verdicts`): in a box, after words such as 'the answer is', or at an end of
the reply. One that was cut off (`CUT_OFF`) has no end: what stands there without such words may be
the first step of a walk through the choices. What is not read is out-of-choice: a wrong reading
would end in a score, an unread reply is counted. The words of languages are data
(`curation.languages`), and `words` makes patterns of them.
"""
