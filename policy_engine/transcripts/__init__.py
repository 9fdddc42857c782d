"""Family: recordings of sessions, each form as events that can be decided again."""
