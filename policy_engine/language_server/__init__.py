"""Show editors what the checker knows: findings, pages of words, completion, names, repairs; `policy lsp` runs it."""
