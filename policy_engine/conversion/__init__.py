"""Convert settings and rules of other systems to text of a policy: what the readers of all formats share."""
