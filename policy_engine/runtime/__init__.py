"""Event and Program → Decision."""
