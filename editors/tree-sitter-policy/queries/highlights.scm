; Made by `make docs` from the grammar: change it there.
(comment) @comment
(string) @string
(regex) @string.regexp
(command_line) @string.special
[(integer) (duration) (date) (moment)] @number
(type) @type
(label) @variable.parameter
(invocation . (name) @function.call)
(member (name) @property .)
(point . (name) @constant)
(rule . (name) @type.definition)
(limit . (name) @type.definition)
(mode . (name) @type.definition)
(hook . (name) @type.definition)
(verify . (name) @type.definition)
(claim . (name) @type.definition)
(stage . (name) @type.definition)
(param . (name) @type.definition)
(define . (name) @type.definition)
(extend . (name) @type.definition)
["language" "import" "param" "define" "rule" "limit" "mode" "hook" "verify" "waive" "claim" "test"] @keyword
["severity" "incident" "control" "on" "when" "unless" "require" "timeout" "fail" "shadow" "repeats" "period" "counts" "reset" "at" "enter" "exit" "lock" "dwell" "run" "call" "priority" "before" "after" "observe" "stage" "env" "pending" "expect" "json" "retries" "then" "until" "possible" "owner" "within" "by" "backoff" "to" "rounds" "with" "of" "sha256" "open" "closed"] @keyword
["prompt" "shell" "write" "edit" "read" "delete" "file" "todo" "fact" "answer" "finish" "wait" "undecided" "given" "content" "output" "ok" "failed" "required"] @keyword
["allow" "approve" "warn" "remind" "ask" "deny" "stop"] @keyword.return
["any" "every" "count" "where"] @keyword.repeat
["and" "or" "not" "in" "contains" "starts_with" "ends_with" "matches" "under" "inside" "outside" "since" "has" "else" "except"] @keyword.operator
["true" "false"] @boolean
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," "." ":"] @punctuation.delimiter
["!=" "+=" ".." "<" "<=" "=" "==" "=>" ">" ">="] @operator
