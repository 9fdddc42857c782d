"""Step through the evaluation of rules, for editors that speak the Debug Adapter Protocol."""
