"""Family: one folder per system whose recorded behaviour is compared with ours, one file per group of its areas."""
