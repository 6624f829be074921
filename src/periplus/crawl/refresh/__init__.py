"""Coming back by plan: which pages to visit again, for a budget."""
