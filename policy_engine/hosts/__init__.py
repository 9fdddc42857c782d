"""Registration with the hosts: write it, find it, and check that it refuses what it must."""
