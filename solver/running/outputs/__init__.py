"""What a run writes: frames and channels from blocks of samples."""
