[(rule) (limit) (mode) (hook) (verify) (waive) (claim) (test)] @indent
"}" @end
