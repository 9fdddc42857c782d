"""What coding agents share: payloads read, answers worded, and the hook protocol that most of them took over."""
