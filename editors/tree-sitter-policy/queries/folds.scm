(rule) @fold
(limit) @fold
(mode) @fold
(hook) @fold
(verify) @fold
(waive) @fold
(claim) @fold
(test) @fold
