"""A family: one file per engine that is measured beside ours. Each defines `PEER`, see `base`."""
