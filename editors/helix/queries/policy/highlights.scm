; Made by `make docs` from the grammar: change it there.
(comment) @comment
(string) @string
(regex) @string.regexp
(command_line) @string.special
[(integer) (duration) (date) (moment)] @constant.numeric
(type) @type
(label) @variable.parameter
(invocation . (name) @function)
(member (name) @variable.other.member .)
(point . (name) @constant)
(rule . (name) @type)
(limit . (name) @type)
(mode . (name) @type)
(hook . (name) @type)
(verify . (name) @type)
(claim . (name) @type)
(stage . (name) @type)
(param . (name) @type)
(define . (name) @type)
(extend . (name) @type)
["language" "import" "param" "define" "rule" "limit" "mode" "hook" "verify" "waive" "claim" "test"] @keyword
["severity" "incident" "control" "on" "when" "unless" "require" "timeout" "fail" "shadow" "repeats" "period" "counts" "reset" "at" "enter" "exit" "lock" "dwell" "run" "call" "priority" "before" "after" "observe" "stage" "env" "pending" "expect" "json" "retries" "then" "until" "possible" "owner" "within" "by" "backoff" "to" "rounds" "with" "of" "sha256" "open" "closed"] @keyword
["prompt" "shell" "write" "edit" "read" "delete" "file" "todo" "fact" "answer" "finish" "wait" "undecided" "given" "content" "output" "ok" "failed" "required"] @keyword
["allow" "approve" "warn" "remind" "ask" "deny" "stop"] @keyword.control.return
["any" "every" "count" "where"] @keyword.control.repeat
["and" "or" "not" "in" "contains" "starts_with" "ends_with" "matches" "under" "inside" "outside" "since" "has" "else" "except"] @keyword.operator
["true" "false"] @constant.builtin.boolean
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," "." ":"] @punctuation.delimiter
["!=" "+=" ".." "<" "<=" "=" "==" "=>" ">" ">="] @operator
