"""Work on a Dask cluster: the extra `distributed`, imported where a cluster is asked for.

Workers answer and compute; nothing but the process that was started by the user reads requests
and writes replies, through the same run as without a cluster.
"""
