"""What frameworks tell of themselves: reports, printed expressions, devices that they see."""
