"""Pictures of plain values: shares, regions, curves and charts, with matplotlib or as SVG.

Who has something to show turns it into these values. The files that need matplotlib, an extra, are
`regions`, `shares`, `curves`, `panels`, and `labels` and `sheet` beneath them.
"""
