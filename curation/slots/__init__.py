r"""The slot grammar: the one place where slots are parsed, printed and filled.

In texts, `[N1]` takes the filler as it is, `[N1: form1, form2]` lists its forms in the
order of the fillers, `[N1|a/an]` asks for agreement with the filler, and `[N1.def]` takes the
form that the filler names so. Lists are written `N1: [a, b]; N2: [c, d]`; `[*]` is a list that
the survey will fill, and a filler that cannot be read as written carries its reading after a
bar, `FBI|eff bee eye`. Attributes stand in braces: `nieta {def: la nieta, gender: f}`. Conditions
follow the lists, `N1.gender = N2.gender; N1 != N2`. A backslash takes the next character of
`[ ] { } , ; : | * \` as it is.
"""
