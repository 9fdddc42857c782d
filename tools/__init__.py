"""Programs for working on this repository; none of them is part of the package."""
