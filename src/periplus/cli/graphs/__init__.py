"""Commands on graphs: inspect, convert and cut them, measure their shape, grow them by a model."""
