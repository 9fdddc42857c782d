// Reads `command git push, git tag -d` behind `on`: words up to the end of the line or the next clause. The terminal
// COMMAND_LINE of grammar/policy.lark says the same. What follows a word tells whether it begins a clause; `stop` and
// `fail` need the word behind, so each of them begins a part of its own.
#include <string.h>
#include "tree_sitter/parser.h"

enum { START, PART };

static const char *const CONDITIONS[] = {"when", "unless", "require", "on", "severity", 0};
static const char *const SAYINGS[] = {"allow", "warn", "remind", "ask", "deny", "approve", "incident", "control", "test", 0};
static const char *const DIRECTIONS[] = {"open", "ask", "closed", 0};

typedef struct {
  char text[16];  // the beginning of a longer word, which is no keyword
  unsigned spaces;
  char next;  // behind the spaces; `?` for what is not ASCII
} Word;

static bool one_of(const char *word, const char *const *words) {
  for (; *words; words++) {
    if (!strcmp(word, *words)) return true;
  }
  return false;
}

static bool is_word(TSLexer *lexer) {
  return !lexer->eof(lexer) && lexer->lookahead > ' ' &&
         (lexer->lookahead >= 128 || !strchr(",{}\"#", (int)lexer->lookahead));
}

static unsigned skip_spaces(TSLexer *lexer) {
  unsigned count = 0;
  for (; lexer->lookahead == ' '; count++) lexer->advance(lexer, false);
  return count;
}

static bool read_word(TSLexer *lexer, Word *word) {
  unsigned size = 0;
  for (; is_word(lexer); lexer->advance(lexer, false)) {
    if (size < 15) word->text[size++] = lexer->lookahead < 128 ? (char)lexer->lookahead : '?';
  }
  word->text[size] = 0;
  word->spaces = skip_spaces(lexer);
  word->next = lexer->eof(lexer) ? '\n' : lexer->lookahead < 128 ? (char)lexer->lookahead : '?';
  return size > 0;
}

static bool read_text(TSLexer *lexer) {
  lexer->advance(lexer, false);
  while (!lexer->eof(lexer) && lexer->lookahead != '"' && lexer->lookahead != '\n') {
    if (lexer->lookahead == '\\') lexer->advance(lexer, false);
    lexer->advance(lexer, false);
  }
  if (lexer->lookahead != '"') return false;
  lexer->advance(lexer, false);
  return true;
}

static bool is_doubtful(const Word *word) {
  return word->spaces && (!strcmp(word->text, "stop") || !strcmp(word->text, "fail"));
}

static bool begins_clause(TSLexer *lexer, const Word *word) {
  if (one_of(word->text, CONDITIONS)) return word->spaces && !strchr(",\n#", word->next);
  if (one_of(word->text, SAYINGS)) return strchr("\"{}", word->next) != NULL;
  if (!strcmp(word->text, "timeout")) return word->spaces && word->next >= '0' && word->next <= '9';
  if (!strcmp(word->text, "shadow")) return true;
  Word behind;
  if (!strcmp(word->text, "stop") && word->spaces) {
    return word->next == '"' || (read_word(lexer, &behind) && behind.next == '"');
  }
  return is_doubtful(word) && read_word(lexer, &behind) && one_of(behind.text, DIRECTIONS);
}

static bool read_start(TSLexer *lexer) {
  while (lexer->lookahead == ' ' || lexer->lookahead == '\n') lexer->advance(lexer, true);
  Word word;
  if (!read_word(lexer, &word) || strcmp(word.text, "command") || !word.spaces) return false;
  lexer->mark_end(lexer);
  return word.next == '"' || (read_word(lexer, &word) && !begins_clause(lexer, &word));
}

static bool read_part(TSLexer *lexer) {
  bool found = false;
  for (;;) {
    Word word;
    if (lexer->lookahead == '"') {
      if (!read_text(lexer)) return found;
      skip_spaces(lexer);
    } else if (read_word(lexer, &word)) {
      if (is_doubtful(&word)) {
        if (found) return true;
        lexer->mark_end(lexer);
        return !begins_clause(lexer, &word);
      }
      if (begins_clause(lexer, &word)) return found;
    } else if (lexer->lookahead == ',') {
      lexer->advance(lexer, false);
      while (lexer->lookahead == ' ' || lexer->lookahead == '\n') lexer->advance(lexer, false);
    } else {
      return found;
    }
    found = true;
    lexer->mark_end(lexer);
  }
}

bool tree_sitter_policy_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  (void)payload;
  if (valid_symbols[START] && valid_symbols[PART]) return false;  // after an error everything is valid
  lexer->result_symbol = valid_symbols[START] ? START : PART;
  return valid_symbols[START] ? read_start(lexer) : valid_symbols[PART] && read_part(lexer);
}

void *tree_sitter_policy_external_scanner_create(void) { return NULL; }
void tree_sitter_policy_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_policy_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_policy_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}
