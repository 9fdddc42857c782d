"""Settings and rules of other systems → text of a policy: what the readers of all formats share."""
