-- an attempt that was no guess
update throttles set points = greatest(points - 1, 0) where key = any($1)
