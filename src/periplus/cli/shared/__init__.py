"""What commands share: output, targets, options for fetching, plots and writing graphs."""
