"""Which names can be non-empty, in the order of cost: one population shows most of them at once.

`elements` (whom saturation knows, and what the conditionals say of them), `drawing` (who has the
heads), `weighing` (how many there are of each), `realising` (all of that), `survey` (until every
name is decided, or has to be asked about, and for questions), `members` (who was seen in some
model).
"""
