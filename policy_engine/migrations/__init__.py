"""Family: formats of other systems that `policy migrate` turns into policies, one file per format."""
