"""Policy files to start from, written for the repository at hand."""
