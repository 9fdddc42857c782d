(rule) @class.around
(test) @test.around
(comment) @comment.around
